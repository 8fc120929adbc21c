"""The validation engines and what compiles schemas for them."""
