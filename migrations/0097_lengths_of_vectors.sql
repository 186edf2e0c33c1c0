-- The length of the vectors of each embedding model, {"model": {"stored": 384, "sent": null}}: `sent` is another length
-- that the model has sent since.
alter table connectors add column vector_sizes jsonb not null default '{}';
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
