-- A path is a reason of enrolments; `rule_id` holds its id. Checked for rows that there are in 0157.
alter table enrolment_reasons
  add constraint enrolment_reasons_kinds
    check (kind in ('person', 'company', 'rule', 'path', 'code', 'invitation', 'import', 'event', 'kept')) not valid,
  drop constraint enrolment_reasons_kind_check;
comment on column enrolment_reasons.rule_id is 'The rule of `rule`, the path of `path`, either of `kept`';
