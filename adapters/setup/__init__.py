"""Set-up of workspaces: layers, made once by a recipe's commands and given to every workspace."""
