import type { ImportField } from "#shared/imports/importReasons.ts";

// Heads of columns in exports of past completions, in a dozen languages. A head names a field by a word of it, unless
// another word says that it is something else: the due day of a course is not the day on which it was completed.
// How they were chosen, and measured on others: docs/decisions/0084-past-completions.md

/** `words` by preference: a column that an earlier one names is chosen before those of the later ones. */
type Pattern = { words: RegExp[]; not: RegExp };
const anyOf = (...parts: string[]) => new RegExp(parts.join("|"));

const NUMBER = "(nr|no|num|number|nummer|numero|id|code)";
const EMPLOYEE = "(employee|emp|personnel|staff|worker|payroll|associate|hr|clock|service)";
const WORKER = "(employe|salarie|agent|trabajador|empleado|operario|dipendente|colaborador|pracownika)";
const PLANNED =
  "start|begin|enrol|regist|inscri|matric|anmeld|einschreib|tilmeld|assign|tildel|due\\b|deadline|frist|" +
  "limit|required|requise|expir|ablauf|ablaeuf|valid|gultig|gyldig|geldig|giltig|until|renew|refresh|" +
  "recycl|auffrisch|caduc|vencim|scaden|wiederhol|nachste|next|revision|voimassa|utlop|utløp|udlob|" +
  "udløb|bis\\b|booked|planned|geplant";

const patterns: Partial<Record<ImportField, Pattern>> = {
  email: {
    words: [anyOf("mail", "courriel", "correo", "\\be ?post", "sahkoposti", "\\bmel\\b", "adresse electronique")],
    not: anyOf(
      "manager|supervis|superior|vorgesetz|fuhrungskraft|\\bchef|jefe|responsa|leder|esimies|instructor|trainer",
      "approver|assessor|contact|ausbilder|formateur",
    ),
  },
  externalId: {
    words: [
      anyOf(`\\b${EMPLOYEE} ${NUMBER}\\b`, "\\bexternal ?id\\b", `personal ?${NUMBER}`, `mitarbeiter ?${NUMBER}`),
      anyOf(`\\bpers ${NUMBER}`, `\\bma ${NUMBER}\\b`, `stamm ?${NUMBER}`, "matricule", "matricola", "legajo"),
      anyOf(
        `\\b(codigo|numero|n|no|id|nr) (de |del |du )?${WORKER}`,
        "mecanografico",
        "henkilo ?numero",
        "osobni cislo",
      ),
      anyOf(`(ansatt|anstallnings|medarbejder|personeels|werknemers?) ?${NUMBER}`, "nr ewid", "werksausweis"),
      anyOf(`\\b(student|learner|user|person|participant|member|network|teilnehmer|benutzer) (unique )?${NUMBER}\\b`),
      anyOf("\\bid (de |de l |del )?(usuario|utilisateur|apprenant)", "identifiant", "identificador"),
      anyOf("user ?name", "\\blog ?in\\b", "benutzer ?name", "kennung", "brukernavn", "anvandarnamn", "gebruikersnaam"),
      anyOf("nom d utilisateur", "\\busuario\\b"),
    ],
    not: anyOf("manager|supervis|mail|curso|course|hire|tipo|type|access"),
  },
  course: {
    words: [
      anyOf("(course|training|learning|item|module|object|content|class|certification|topic) (full )?(title|name)"),
      anyOf("(kurs|schulungs?|seminar|trainings?|lehrgangs?|modul|objekt) ?(titel|name|bezeichnung|navn|tittel|thema)"),
      anyOf(
        "(titre|intitule|nom)( complet)? (de |du |de la |de l )(cours|formation|element|module|stage)",
        "cursus ?naam",
      ),
      anyOf("(titulo|nombre|nome)( completo)? (de |del |de la |do |da )(curso|formacion|formacao|elemento|accion)"),
      anyOf("\\b(course|training|lesson|class|module|certification|qualification|programme|program|modulo|stage)\\b"),
      anyOf("\\blearning (content|item|object|activity)", "unterweisung|schulung|seminar|lehrgang|kurs(us)?\\b"),
      anyOf("qualifikation|fortbildung|weiterbildung|opplaering|opplæring|utbildning|uddannelse|veranstaltung"),
      anyOf("\\bcours\\b|formation|habilitation|parcours|\\bcurso|formaci|formacao|formativa|capacitacion|\\bcorso"),
      anyOf(
        "cursus|opleiding|koulutus|szkoleni|skoleni|corsi\\b",
        "toolbox talk|business event|event type|\\btopic\\b",
      ),
      anyOf("\\btitle\\b|\\btitel\\b|intitule|\\btitulo\\b|\\btitre\\b|\\bthema\\b|\\btema\\b"),
      anyOf("(course|item|module|training) (code|id|number)", "kurs ?(code|nummer|nr|id|kode)"),
    ],
    not: anyOf(
      "type\\b|provider|anbieter|status|start|begin|ende\\b|date\\b|datum|dato|\\bversion|hold|trainer|lehrer|tipo",
      "proveedor|\\bentidad|fee\\b|cost|time|hours|grade|score|percent|durch|nachste|short|abrege|corto|session",
      "category",
      "certificate (n|serial|id)|certification (n|date)|unterweisender|utbildare|opleider|organisme|language|fecha",
      "job|position|poste?\\b|personal|\\bam$|\\ble$|\\bden$",
    ),
  },
  completedOn: {
    words: [
      anyOf(
        "complet(ed|ion)? ?(date|day|dt|on|at|time|le|pdt|utc|gmt)",
        "(date|time|day) (of )?complet|\\bcompleted\\b",
      ),
      anyOf("\\bfinish|abgeschlossen|abschluss ?(datum|tag)|beendet|beendigung|absolvi|absolvov|erledigt|durchgefuhrt"),
      anyOf("achev|acheve|complete le|termine|date de (fin|realisation|reussite)|obtention|valide le|realise|suivi le"),
      anyOf("finaliza|conclus|completad|realizacion|realizado|terminad|superad|obtencion|completament|data fine"),
      anyOf("fullfort|fullført|gjennomfort|gjennomført|bestatt|bestått|genomford|gennemfort|gennemført|afsluttet"),
      anyOf("behaald|afgerond|voltooi|suoritus|ukonczen|dokoncen|slutdato|slutdatum|avslutad|bestanden|aprobacion"),
      anyOf(
        "(award|pass|achiev|deliver|attend|certifi|obtain|earn|sign)(ed)? (on|date|at)|date (read|taken|done|pass)",
      ),
      anyOf("date (awarded|achieved|delivered|attended|certified|obtained|earned)", "\\bend (date|day|time)"),
      anyOf("(seminar|kurs) ?ende|\\benddatum|fecha (de )?fin\\b|data (di|de) fim|\\bfin\\b"),
      anyOf(
        "(training|course|exam|test|issue|session|event) date|date (of|du|de l|de la|de) (training|course|exam|test)",
      ),
      anyOf(
        "(schulungs?|prufungs?|kurs|unterweisungs?|ausstellungs?|eksamens|utstedelses?) ?(datum|tag|dato)|issued on",
      ),
      anyOf(
        "^(date|datum|fecha|dato|data|tag|dag)$",
        "\\w (am|on|le|den|dne|el|op)$",
        "^(date|datum|fecha|dato|data) ",
      ),
      anyOf("(date|datum|dato|fecha)$"),
    ],
    not: anyOf(
      PLANNED,
      "status|state\\b|statut|estado|percent|progress|hours|heures|horas|score|birth|geburt|naiss|nacim|hire|eintritt",
      "last (access|updated|login)|nummer|\\bnr\\b|number|serial|\\bid\\b|by\\b|upload|created|modified|updated|access",
    ),
  },
  score: {
    words: [
      anyOf("percent|prozent|prosent|pourcentage|porcentaje|procent"),
      anyOf("\\bscore\\b|poengsum|puntuacion|punteggio"),
    ],
    not: anyOf("complet|progress|fortschritt|progres|avance|attend|status|max|pass(ing)? |required|min\\b"),
  },
  reference: {
    words: [
      anyOf(`\\b(cert|certificate|zertifikats?|sertifikat|licen[cs]e|card|diploma|badge|credential) ${NUMBER}\\b`),
      anyOf(
        "certificate serial",
        `(zertifikats?|ausweis|bescheinigungs?|bevis|intygs?|certificaat|todistus) ?${NUMBER}`,
      ),
      anyOf("(numero|n|no|nr|folio) (de |du |del |do )?(certific|titre|diplom|attest|carn|zaswiadcz|osvedc)"),
      anyOf("bescheinigung|\\bcertificate\\b|\\bzertifikat\\b|kursbevis"),
      anyOf("provider|anbieter|proveedor|organisme|awarding body|issuing|vendor|entidade formadora|bildungstrager"),
      anyOf("remark|comment|\\bnotes\\b|bemerkung|kommentar|anmerkung|remarque|observa|merknad|huomautus|poznamka"),
      anyOf("^(reference|referenz|referencia)$|evidence|nachweis"),
    ],
    not: anyOf(`${PLANNED}|date\\b|datum|type|status|course|kurs(?!bevis)|werks`),
  },
};

/** The fields that heads, written as by `normalHead`, name: each by the best of its words and the first such column. */
export function guessCompletionHeads(heads: string[]): (ImportField | null)[] {
  const guessed: (ImportField | null)[] = heads.map(() => null);
  for (const [field, { words, not }] of Object.entries(patterns) as [ImportField, Pattern][])
    for (const word of words) {
      const at = heads.findIndex((head, column) => guessed[column] === null && word.test(head) && !not.test(head));
      if (at < 0) continue;
      guessed[at] = field;
      break;
    }
  return guessed;
}
