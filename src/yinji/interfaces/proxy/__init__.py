"""A memory between any client and any model: chats go on to the model with what is remembered, and are remembered."""
