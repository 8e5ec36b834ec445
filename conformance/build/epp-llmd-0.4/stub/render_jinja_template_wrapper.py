"""Stands for the module of that name in llm-d-kv-cache-manager, which needs vLLM's packages: the precise prefix scorer
can be made from its configuration, and whoever renders a chat is told."""


def render_jinja_template(request):
    raise RuntimeError("this build renders no chats")


def get_model_chat_template(request):
    raise RuntimeError("this build renders no chats")


def clear_caches():
    return "{}"
