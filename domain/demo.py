"""The demo: what is asked of whom, and where its repository lies below the data folder."""

AGENT = "scripted"
FOLDER = "demo"
REPOSITORY = "shelf"
GOAL = "Write the report of the shelf package"
