import { EventEditor } from "#web/events/EventEditor.tsx";

/** /admin/events/create */
export const EventCreatePage = () => <EventEditor event={null} />;
