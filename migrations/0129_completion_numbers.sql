-- Marked as complete by the learner: a rule may ask for this and for more.
alter table attempts add column confirmed boolean not null default false;

-- An attempt whose completion was taken back can be completed again: each completion has its number.
alter table attempts add column completion_no integer not null default 1;
alter table completion_history add column completion_no integer not null default 1;
