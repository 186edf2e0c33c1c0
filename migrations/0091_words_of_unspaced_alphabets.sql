-- Thai, Lao, Khmer and Burmese are indexed by words instead of pairs of characters. Few questions find these documents
-- until they have been indexed again, which begins within a minute.
update document_versions
set
  state = 'indexing',
  done = 0,
  tries = 0,
  next_try_at = now()
where language in ('th', 'lo', 'km', 'my')
  and state = 'ready';
