from tests.model_stub.app import main

main()
