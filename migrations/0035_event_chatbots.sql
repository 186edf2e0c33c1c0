-- A public chatbot that visitors of an event may ask. Its conversations know the event.
alter table events add column chatbot_id uuid references chatbots (id) on delete set null;
create index events_chatbot on events (chatbot_id);
alter table conversations add column event_id uuid references events (id) on delete set null;
create index conversations_event on conversations (event_id);
