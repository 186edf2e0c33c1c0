/**
 * Words of which a message about harm nearly always has one, by what they are about, in English, German, French and
 * Spanish: in lower case and without accents; `*` stands for any ending. The model of care messages needs less evidence
 * for messages that have one.
 */
export const careWords: Record<string, string> = {
  self: "myself",
  hit: [
    "hit hits hitting beat beats beaten beating slap* punch* kick* shov* chok* strangl* push* pinned",
    "smack* schlag* schlug verprugel* prugel* wurg* gewurgt gedruckt gehauen haut hauen tritt getreten",
    "frapp* tape taper gifl* etrangl* plaqu* pousse* cogn* tabass* pega pegan pego pegar golpe* paliza*",
    "estrangul* empuj* agarr* oblig*",
  ].join(" "),
  wound: [
    "eye bruise* blaues auge oeil ojo morado wrist broke broken gebrochen casse* rib* smash* break breaks",
    "breaking brech* rompo romper*",
  ].join(" "),
  touch: [
    "touch* grab* grop* rubs rubbed rubbing kiss* hug* fasst fassen angefasst begrapsch* grapsch*",
    "gegriffen griff kuss* gekusst umarm* reibt embrass* frott* colle colles caress* toca tocan toco",
    "tocar beso besa besar abraz* frota mano manos hand hands main mains forced cornered strok*",
    "streichel* stares gafft",
  ].join(" "),
  sexbody: [
    "breast* skirt ass bum legs thigh* bed naked nude* underwear rock bruste po hintern bett nackt* beine",
    "schenkel jupe seins fesses jambes lit nu nue nus couch* falda pechos culo piernas cama desnud*",
    "acost* tetas sex* sexual* penis genital* hotel shower dusche douche ducha changing bikini",
  ].join(" "),
  rape: "rape* raping assault* vergewaltig* viol* abus*",
  kill: [
    "kill* murder* stab* shoot* shot shooting tot umbring* umgebracht bringe erschiess* abknall* knall*",
    "stech* abstech* ermord* tuer tue tuerai bute* buter poignard* plante crev* matar* mato mate asesin*",
    "apunal* clavo clava* dispar* tiro tiros tirs erwurg* slaughter* behead* fracass* rajar revient*",
    "revent* eclat* ausein* massac* carnage amok throat kehle gorge cuello hurt* wehtun weh mal dano",
    "destroy* finish*",
  ].join(" "),
  suicide: "suicid* selbstmord* suizid* selbsttot*",
  weapon: [
    "gun guns rifle* shotgun* pistol* knife knives blade* machete hammer axe bat wrench bullet* waffe*",
    "messer* pistole* gewehr* axt zange klinge* arme* couteau* fusil* flingue marteau hache balle",
    "pistola* cuchillo* navaja* escopeta* arma armas martillo hacha bala bomb* explosiv* sprengstoff acid",
    "saure acide acido bleach bleiche javel lejia",
  ].join(" "),
  fire: [
    "burn* fire petrol gasoline lighter arson* anzund* zund* brenn* brann* abfackel* benzin feu brul*",
    "essence cram* quem* gasolina fuego incendi*",
  ].join(" "),
  poison: "poison* antifreeze vergift* frostschutz empoison* antigel veneno* envenen* anticongelante",
  sabotage: [
    "brake* bremsleitung freins frenos bolts schrauben boulons tornillos scaffold* gerust* echafaud*",
    "andamio* radmutter*",
  ].join(" "),
  live: "live living alive leben lebe vie vivre vivant* vivir vivo viva exist* existiere",
  die: [
    "die died dying dead death sterb* stirb* gestorben tod tot mort* mour* meur* morir* muer* murio born",
    "geboren",
  ].join(" "),
  wake: "wake waking aufwach* reveill* despert* sleep* schlaf* einschlaf* dormir",
  pills: [
    "pill* tablet* overdos* paracetamol insulin* comprim* somnif* pastill* dose dosis uberdosis surdose",
    "sobredosis meds calmantes schmerzmittel antidouleurs vodka wodka",
  ].join(" "),
  rope: "rope* noose strick seil corde* cuerda* soga hang* beam balken poutre viga",
  jump: [
    "bridge brucke pont puente train trains zug gleis* rails tracks railway tren vias roof dach toit",
    "azotea jump* spring* sprang sauter tirarme jeter platform bahnsteig quai anden tree baum arbre truck",
    "laster camion fenster window fenetre ventana",
  ].join(" "),
  cut: [
    "cut cuts cutting ritz* schneid* geschnitten coupe couper coupes corto cortar* corte scar scars",
    "narbe* cicatri* bleed* blood* blut* saign* sangr* razor scratch* kratz* gratt* rasco",
  ].join(" "),
  bye: [
    "goodbye bye farewell tschuss adieu adios letter letters brief briefe lettre* carta cartas testament*",
    "abschied*",
  ].join(" "),
  burden: "burden last poids fardeau carga estorbo",
  gone: "gone disappear* verschwind* weg dispar* desapare* over vorbei schluss",
  hope: [
    "hope* hopeless point sinn hoffnung sens espoir sentido esperanza worth worthless wert future zukunft",
    "avenir futuro",
  ].join(" "),
  tired: "tired mude fatigu* cansad* exhaust* erschopf* epuis* agotad* courage mut valor",
  fear: "scared afraid fear* angst peur miedo terrif* froze",
  cry: "cry* crying wein* geweint pleur* llor* sick krank malade enferm* vomit* stomach magen",
  insult: [
    "insult* names slur* laugh* mock* beschimpf* beleidig* lach* auslach* moqu* rire rit rigol* rient",
    "burl* rien rieron risa nennt nennen traite* llaman humili* demut* tuschel* whisper* chuchot*",
    "cuchich* scream* shout* yell* brull* bruell* schrei* hurl* crie* grita* spit* spat spuck* angespuckt",
    "crach* escup* rumour* rumor* gerucht*",
  ].join(" "),
  exclude: "exclud* ignor* alone ausschliess* allein seule sola corridor flur couloir pasillo ausgegrenzt",
  hide: [
    "hides hid hidden versteck* cachent cache escond* pinta* pinto painted schmier* geschmiert locker",
    "spind casier taquilla banana* bananen monkey affe*",
  ].join(" "),
  bully: [
    "bullied bullying bully mobb* harass* belastig* harcel* acos* hostig* schikan* blackmail* erpress*",
    "intimid* einschucht* threat* droh* menac* amenaz*",
  ].join(" "),
  race: [
    "black skin racis* hijab muslim* jew* gay* lesbian* transgender transition transsexuel* pregnan*",
    "wheelchair disab* hautfarbe kopftuch* schwarz* jude judin schwul* schwuchtel lesb* schwanger*",
    "rollstuhl behindert* auslander* neger* couleur voile noir* juif* pede* gouine enceinte* fauteuil",
    "handicap* arabe arabes araber negr* velo judi* maric* embarazad* gitan* roma rom moro* sudaca* noose",
    "hakenkreuz swastika gammee esvastica prayer gebet* priere rezar",
  ].join(" "),
  follow: "follow* stalk* verfolg* lauer* auflauer* suit suivi* sigue sigo siguen persig* watching",
  lock: "locked locks eingesperrt sperrt enferme* encierr* encerr* lets lasst",
  film: [
    "films filmed filming gefilmt filmt filme filment grabo graban nudes pictures bilder photos fotos",
    "camera kamera cam*",
  ].join(" "),
  regret: "regret* bereu* regrett* arrepent* sorry suffer* leiden souffr* sufr* pardon perdon",
};
