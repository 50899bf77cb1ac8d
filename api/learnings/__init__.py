"""What tasks learned, by repository."""
