-- Vectors of passages by what made them: only vectors of the same connector, model and size are compared.
create table passage_vectors (
  passage_id bigint not null references passages (id) on delete cascade,
  connector_id text not null,
  model text not null,
  size integer not null,
  -- Numbers of 4 bytes, little-endian, of length 1
  vector bytea not null,
  primary key (passage_id, connector_id, model, size)
);
