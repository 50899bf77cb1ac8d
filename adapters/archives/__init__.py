"""Archives of threads, in folders and in S3-compatible stores."""
