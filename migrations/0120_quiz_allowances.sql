-- More attempts or minutes at a quiz for one person; nobody is told why.
create table quiz_allowances (
  enrolment_id uuid not null references enrolments (id) on delete cascade,
  sco text not null,
  attempts integer not null default 0,
  minutes integer not null default 0,
  primary key (enrolment_id, sco)
);
