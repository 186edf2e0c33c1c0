import { EventEditor } from "#web/events/editor/EventEditor.tsx";

/** /admin/events/create */
export const EventCreatePage = () => <EventEditor event={null} />;
