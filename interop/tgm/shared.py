"""Entries of base[i] as they are: small objects share metadata, which stand once in _extra_._shared_."""


def complete(metadata):
    """The base entries of a message, each with what it shares."""
    parts = (metadata.extra or {}).get('_shared_', [])
    return [_complete(dict(entry), parts) for entry in metadata.base]


def _complete(entry, parts):
    if '_shared_' not in entry:
        return entry
    for key, value in parts[entry.pop('_shared_')].items():
        own = entry.get(key)
        if isinstance(value, dict) and isinstance(own, dict):
            entry[key] = {**value, **own}
        elif own is None:
            entry[key] = value
    return entry
