"""Writes treadle_client/models.py and treadle_client/operations.py from the OpenAPI document."""

from generator.writing import write_client

if __name__ == "__main__":
    write_client()
