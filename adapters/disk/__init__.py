"""What a host keeps on its disk: measured, and removed where the limits ask for it."""
