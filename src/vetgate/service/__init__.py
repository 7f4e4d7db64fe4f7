"""What any surface may ask: values in, values out; progress is reported through a callback."""
