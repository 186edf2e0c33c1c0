-- The length of the vectors of each embedding model, {"model": {"stored": 384, "sent": null}}: `sent` is another length
-- that the model has sent since. And connectors of models in files beside the server.
alter table connectors add column vector_sizes jsonb not null default '{}';
alter table connectors drop constraint connectors_kind_check;
alter table connectors add constraint connectors_kind_check
  check (kind in ('builtin', 'openai', 'azure', 'anthropic', 'google', 'local'));
update connectors
set vector_sizes = known.sizes
from (
  select connector_id, jsonb_object_agg(model, jsonb_build_object('stored', size, 'sent', null)) as sizes
  from (
    select distinct on (connector_id, model) connector_id, model, size
    from passage_vectors
    order by connector_id, model, passage_id desc
  ) latest
  group by connector_id
) known
where known.connector_id = connectors.id::text;
