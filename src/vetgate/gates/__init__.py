"""Gates that run a project's own commands: started safely, read for what went wrong, remembered with their tree."""
