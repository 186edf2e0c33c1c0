-- outside a transaction
alter table enrolment_reasons validate constraint enrolment_reasons_every_kind;
