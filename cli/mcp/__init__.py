"""`treadle mcp`: what an editor or another agent does at Treadle for a person, who decides."""
