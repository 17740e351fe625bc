"""One file per change of the schema, named by date, time and intent. What has run is not edited."""
