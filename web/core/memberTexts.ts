import { i18n } from "#web/core/i18n.ts";
import * as memberTextFiles from "#web/core/memberTextFiles.ts";

i18n.addResourceBundle("en", "translation", { ...memberTextFiles }, true);
