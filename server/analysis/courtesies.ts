// Words of greetings, thanks, excuses and requests, which say nothing about a subject

/**
 * In the forms in which they occur, by language (ISO 639-1). “Not”, “problem” or “work” are none: they say what is
 * wrong.
 */
const COURTESIES: Record<string, string> = {
  en: `hello hi hey hiya howdy greetings welcome morning afternoon evening goodbye bye byebye cheers please pls plz
    thanks thank thankyou thx ty grateful appreciate appreciated sorry apologies apologise apologize excuse pardon
    kindly bother bothering disturb trouble mind dear nice great cool awesome perfect wonderful lovely fine okay ok
    yes yeah yep nope sure alright understood help helped helps helping helpful assist assistance tell know knew
    want wants wanted wondering wonder question questions ask asked asking explain explained answer need needed hope
    hoping day weekend sir madam guys folks bot chatbot lol haha hmm`,
  de: `hallo hi hey servus moin gruezi guten gute morgen tag abend mittag nacht gruss gruesse grüße gruß lieben
    liebe freundlichen freundliche tschüss tschüs tschau ciao wiedersehen bitte bitten danke dankeschön danken dank
    vielen besten herzlichen sorry entschuldigung entschuldigen verzeihung verzeihen störe stören störung tut leid
    gerne gern super toll prima klasse perfekt schön schönen okay ok ja nein jo klar genau alles verstanden hilfe
    helfen hilft hilf geholfen hilfreich sagen sagst sag wissen weiß weiss weißt möchte möchten moechte will wollte
    würde wuerde brauche frage fragen erklären erklärst antwort hoffe herr frau leute bot chatbot haha hm`,
  fr: `bonjour bonsoir salut coucou allo bienvenue revoir adieu ciao bientôt merci mercis remercie remercier svp stp
    plaît plait prie désolé désolée desole excuse excusez excuser pardon pardonnez dérange déranger dérangement peux
    peut pouvez pourriez pourrais cordialement cher chère super génial parfait bien cool ok okay oui non ouais
    accord compris aide aider aidez aidé utile dire dites dis savoir sais voudrais souhaite souhaiterais aimerais
    veux besoin question questions demande demander expliquer expliquez répondre réponse espère journée soirée matin
    jour monsieur madame bot chatbot haha`,
  es: `hola buenos buenas buen días dias tardes noches saludos saludo bienvenido adiós adios chao luego gracias
    agradezco agradecer agradecería favor porfa porfavor perdón perdon perdona perdone disculpa disculpe disculpas
    molesto molestar molestia molestias siento puede puedes podría podrías podria estimado estimada querido genial
    perfecto vale bien bueno guay ok okay sí claro entendido ayuda ayudar ayúdame ayudame ayude decir dime diga
    saber sé quiero quisiera querría necesito gustaría pregunta preguntas preguntar explicar explica explicarme
    responder respuesta espero señor señora bot chatbot jaja`,
};
const words = new Set(Object.values(COURTESIES).flatMap((list) => list.split(/\s+/)));

/** Whether a word in lower case belongs to a greeting, thanks, an excuse or a request in one of the four languages. */
export const isCourtesy = (word: string) => words.has(word);
