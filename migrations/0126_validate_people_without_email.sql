alter table users validate constraint users_email_check;
alter table users validate constraint users_activated_via_check;
