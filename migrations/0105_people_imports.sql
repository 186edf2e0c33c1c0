-- Files with people of a company: read, checked, applied and perhaps undone by a job, in batches.
-- Personnel numbers: of one company each, by which its people are found again when their email has changed.
create table personnel_numbers (
  user_id uuid primary key references users (id) on delete cascade,
  company_id uuid not null references companies (id) on delete cascade,
  number text not null
);
create unique index personnel_numbers_number on personnel_numbers (company_id, lower(number));

-- The number belongs to the company, and is no longer that of a person who moves to another one.
create function forget_personnel_number() returns trigger language plpgsql as $$
begin
  delete from personnel_numbers where user_id = new.id;
  return null;
end $$;
create trigger forget_personnel_number after update of company_id on users for each row
  when (old.company_id is distinct from new.company_id) execute function forget_personnel_number();

create table people_imports (
  id uuid primary key default gen_random_uuid(),
  company_id uuid not null references companies (id) on delete cascade,
  created_by uuid references users (id) on delete set null,
  created_at timestamptz not null default now(),
  -- Who had it applied or undone.
  ordered_by uuid references users (id) on delete set null,
  file_id uuid references files (id) on delete set null,
  file_name text not null,
  state text not null default 'reading'
    check (state in ('reading', 'checking', 'ready', 'applying', 'applied', 'undoing', 'undone', 'failed')),
  -- Why it failed, and at which row of the file.
  code text,
  code_row integer,
  format text check (format in ('csv', 'xlsx')),
  delimiter text,
  encoding text,
  head jsonb not null default '[]',
  -- The field of each column; null for columns that are not imported.
  mapping jsonb not null default '[]',
  existing text not null default 'update' check (existing in ('update', 'skip')),
  invites boolean not null default true,
  -- Progress of the state: rows processed, of all rows.
  done integer not null default 0,
  total integer not null default 0,
  -- Raised with every new order to the job, so that a job of an earlier order stores nothing any more.
  revision integer not null default 1,
  tries integer not null default 0,
  leased_until timestamptz,
  applied_at timestamptz,
  undone_at timestamptz
);
create index people_imports_company on people_imports (company_id, created_at desc);
create index people_imports_created_at on people_imports (created_at desc);
create index people_imports_work on people_imports (created_at)
  where state in ('reading', 'checking', 'applying', 'undoing');
create unique index people_imports_file on people_imports (file_id);

create table people_import_rows (
  import_id uuid not null references people_imports (id) on delete cascade,
  -- The row of the file, counted as spreadsheets do: the head is row 1.
  number integer not null,
  cells jsonb not null,
  left_out boolean not null default false,
  -- What the cells say, and what is wrong with them alone.
  said jsonb,
  faults jsonb not null default '[]',
  email_key text,
  number_key text,
  outcome text check (outcome in ('create', 'update', 'same', 'rejected', 'leftOut')),
  reasons jsonb not null default '[]',
  user_id uuid references users (id) on delete set null,
  applied_at timestamptz,
  -- The person before an update; null for a new person.
  before jsonb,
  -- Set when undone: the person is as before, or stays, and why.
  undone text check (undone in ('restored', 'acted', 'changed')),
  primary key (import_id, number)
);
create index people_import_rows_outcome on people_import_rows (import_id, outcome, number);
create index people_import_rows_email on people_import_rows (import_id, email_key);
create index people_import_rows_number on people_import_rows (import_id, number_key);
create index people_import_rows_user on people_import_rows (user_id, import_id);
create index people_import_rows_address on people_import_rows (email_key);

-- People of the company who are missing in the file and whom somebody decided to suspend.
create table people_import_leavers (
  import_id uuid not null references people_imports (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  applied_at timestamptz,
  before jsonb,
  undone text check (undone in ('restored', 'acted', 'changed')),
  primary key (import_id, user_id)
);
create index people_import_leavers_user on people_import_leavers (user_id);

-- How a company maps columns, by the text of their heads in lower case.
create table people_import_mappings (
  company_id uuid primary key references companies (id) on delete cascade,
  fields jsonb not null default '{}'
);
