"""What operators measure: families of metrics, and what each event adds to them."""
