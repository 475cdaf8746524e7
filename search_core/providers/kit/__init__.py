"""What providers share: the contract, requests, tolerant reading of answers."""
