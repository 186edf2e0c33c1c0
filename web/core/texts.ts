import { i18n } from "#web/core/i18n.ts";
import * as textFiles from "#web/core/textFiles.ts";

i18n.addResourceBundle("en", "translation", { ...textFiles }, true);
