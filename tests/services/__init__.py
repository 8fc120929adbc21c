"""Tests with PostgreSQL, whose address is in the variables of libpq, and with engines such as Spark."""
