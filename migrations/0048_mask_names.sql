-- Whether names, email addresses and phone numbers are replaced by placeholders before a provider of language models reads them.
alter table companies add column mask_names boolean not null default false;
