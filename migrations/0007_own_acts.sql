-- What people do with their own accounts is written into the audit log too, and a login is the most frequent act there is.
-- The index serves the log without them, the log of them alone, and the nightly clean-up of those that are past their days.
create index audit_entries_act on audit_entries (act, at desc);
