-- `local`: an embedding model whose files are in DATA_DIR/models.
alter table connectors drop constraint connectors_kind_check;
alter table connectors add constraint connectors_kind_check
  check (kind in ('builtin', 'openai', 'azure', 'anthropic', 'google', 'local')) not valid;
