// Words that people use about any subject: a phrase of nothing else names no theme

/** By language (ISO 639-1); compared by their stems. */
export const COMMON_WORDS: Record<string, string> = {
  en: `able access accept add allow allowed almost already always amount answer apply arrive available back bad bit
    break bring broken call cancel cannot change check choose come complete contact continue correct create currently
    date day days decide delete different difficult directly do done early easy end enough enter exactly example
    expect fail figure fill find finish first fix forget form forward full get give go going good got group guess
    half handle happen happened hard have hear help hour hours idea important include inform information instead
    issue item job keep kind know large last late later learn least let letter like line list little live long look
    looking lose lost lot low make making manage matter mean meant minute minutes miss missing month months move much
    near new next normal note notice offer old one open option other own page part past people person pick place plan
    point possible prepare probably problem process provide purpose put quick quickly read ready real really reason
    receive received recent recently regarding remember remove replace reply report request require required result
    return right run say second see seem select send sent set several short show sign similar simple single situation
    small soon sort special specific start started state status step steps stop stuff submit support sure system take
    taking talk tell thing things think third time times today together told tomorrow tonight total towards trouble
    true try trying turn two type understand update use used useful user using usual usually value view wait waiting
    way week weeks while whole within without word work working works worried write wrong year years yesterday yet
    you human robot ai chat speak false`,
  de: `abend ablauf abschließen andere anderen anfang anfangen angeben angeht ansehen antworten anzahl art aufgabe
    aufhören aussehen auswählen bald bedeutet beginnen beginnt beispiel bekomme bekommen bekommt benötige benötigt
    benutzen bereits bestimmte bleiben bleibt brauchen braucht bringen bringt daten dauert denken dinge eigentlich
    einfach eingeben ende erfahren erhalten erhält erkennen erledigen ersetzen erste ersten fall falsch fehlt fertig
    finde finden findet folgende funktioniert funktionieren gab geben gebe gehen gehört geht gehe gekommen gemacht
    gesagt gestern gibt gleich groß grund halten handelt heute hinzufügen holen hören information informationen
    irgendwie jahr jahre jemand jetzt kennen klappt klein kommen kommt komme können könnte kurz lange lassen läuft
    leicht lesen letzte letzten leute liegt liste machen macht mache manchmal mensch menschen minute minuten
    mitteilen möglich möglichkeit monat monate morgen muss müssen nächste nächsten neu neue neuen nehmen nennen
    normal nutzen ort passiert person personen platz problem probleme punkt rufen richtig sache sachen schauen
    schicken schnell schreiben schritt schwer sehen seite senden setzen sofort sollen spät später starten stehen
    steht stelle stellen stimmt stück stunde stunden suchen suche system tage teil tun überhaupt unterschied
    verfügbar vergessen verstehe verstehen versuchen verwenden viel vorher wählen warten wechseln weg weise weitere
    weiterhin wert wichtig wirklich woche wochen wort wurde zahl zeigen zeit ziehen ziemlich zurück zuständig zweite
    reden sprechen spreche roboter`,
  fr: `accéder agit ajouter aller an année années apparaître appeler arrive arriver attendre attente autre autres
    avance besoin bon bonne cas cause changer choisir chose choses commencer commence comment compte concernant
    connaître continuer correct créer date dernier dernière demain demande depuis dernièrement devoir différent dois
    doit donner donne dont début effectuer encore ensuite entrer envoyer essayer exact exemple existe facile faire
    fais fait faut fin finir fois fonctionne fonctionner garder gens groupe heure heures hier important indiquer info
    information informations jours laisser lire lieu long maintenant manière manque marche meilleur mettre minute
    minutes modifier mois moment montrer mot nombre normal nouveau nouvelle obtenir ouvrir page parler part partie
    passe passer pense penser personne personnes petit peux peut place possible pouvoir premier première prendre
    problème problèmes procéder prochain quelqu quelque raison recevoir reçu regarder remplacer rester retour rien
    savoir semaine semaines semble seul simple suivant supprimer sûr système temps tenir terminer toujours trouve
    trouver trop truc type utiliser valable venir vérifier voir vois vouloir vrai parle parles robot humain`,
  es: `acceder aceptar agregar ahora algo alguien algún alguna año años antes aparece aparecer añadir aún ayer buscar
    busco cada cambiar cantidad casi caso causa coger comenzar completar comprobar conocer conseguir contar continuar
    correcto cosa cosas crear creo da dar debe debo decidir dejar demasiado después diferente difícil disponible
    durante ejemplo elegir empezar encontrar encuentro enviar escribir esperar estar exactamente existe fácil falta
    fecha fin final forma funciona funcionar gente grande grupo guardar haber hace hacer haciendo hago hay hecho hora
    horas hoy importante incluir indicar información informar ir leer línea listo llamar llega llegar lleva llevar
    lugar mal manera mañana máximo mejor menos mes meses minuto minutos mirar mismo modo momento mostrar motivo mover
    mucho normal nuevo nueva obtener ocurre opción otra otro página palabra parte pasa pasar paso pasos pedir pensar
    pequeño perder persona personas poder poner posible problema problemas proceso próximo punto puede pueden puedo
    quedar quitar razón realizar realmente recibir reciente rápido saber salir seguir segundo seguro semana semanas
    ser si siempre siguiente simple sistema sitio sirve solo tarde tema tener tengo tiempo tiene tipo todavía todo
    tomar trata última último usar uso usuario va varios venir ver vez veces visto volver ya hablar hablo hablas
    hablando robot humano`,
};
