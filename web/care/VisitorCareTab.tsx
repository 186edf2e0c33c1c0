import { CareForm } from "#web/care/CareForm.tsx";

/** The tab of the settings for calls for help of people without a company. */
export const VisitorCareTab = () => <CareForm id="visitors" />;
