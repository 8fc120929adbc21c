"""How results are shown: as text for people, and in the formats that programs and CI read.

Reporters turn results into text; they decide nothing, read nothing and write nothing.
"""
