"""Results as text: for people, and in the formats that programs and CI systems read.

Reporters turn results into text; they decide nothing, read nothing and write nothing.
"""
