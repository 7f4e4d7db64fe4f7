"""`python -m vetgate`."""

from vetgate.cli.main import main

if __name__ == "__main__":
    main()
