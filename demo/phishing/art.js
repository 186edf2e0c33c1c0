/*
 * All pictures of the course, drawn flat from a few colours. Each function returns SVG as text.
 * They are decoration: aria-hidden, because the text beside them says the same.
 */
const Art = (() => {
  "use strict";

  const C = {
    night: "#12263a",
    deep: "#1c3a55",
    sea: "#2f5673",
    swell: "#264a65",
    mist: "#8fb0c4",
    ice: "#dce7ee",
    lamp: "#ffd166",
    red: "#c8102e",
    white: "#fff",
    rock: "#0b1826",
  };
  const svg = (width, height, inner, attributes = "") =>
    `<svg viewBox="0 0 ${width} ${height}" aria-hidden="true" focusable="false" ${attributes}>${inner}</svg>`;

  // A lighthouse of the given height standing on (x, y). lit: is the lamp on?
  function tower(x, y, height, lit = true) {
    const base = height * 0.17;
    const top = height * 0.11;
    const band = (from, to) => {
      const half = (share) => base + (top - base) * share;
      const [a, b] = [half(from), half(to)];
      const left = `M${x - a} ${y - height * from}L${x - b} ${y - height * to}`;
      return `<path d="${left}h${b * 2}L${x + a} ${y - height * from}z"`;
    };
    const head = y - height;
    const room = height * 0.16;
    return `
      ${band(0, 1)} fill="${C.white}"/>
      ${band(0.16, 0.36)} fill="${C.red}"/>${band(0.58, 0.78)} fill="${C.red}"/>
      <rect x="${x - top * 1.35}" y="${head - height * 0.035}" width="${top * 2.7}" height="${height * 0.04}"
        fill="${C.rock}"/>
      <rect x="${x - top * 0.8}" y="${head - room}" width="${top * 1.6}" height="${room - height * 0.03}"
        fill="${lit ? C.lamp : C.mist}"/>
      <path d="M${x - top} ${head - room}a${top} ${top * 0.9} 0 0 1 ${top * 2} 0z" fill="${C.red}"/>
      <rect x="${x - base * 0.28}" y="${y - height * 0.1}" width="${base * 0.56}" height="${height * 0.1}"
        fill="${C.rock}"/>`;
  }

  const envelope = (x, y, w) => {
    const h = w * 0.66;
    return `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="3" fill="${C.white}"/>
      <path d="M${x} ${y + 3}l${w / 2} ${h * 0.52}l${w / 2} ${-h * 0.52}" fill="none" stroke="${C.sea}"
        stroke-width="${w * 0.035}"/>
      <circle cx="${x + w / 2}" cy="${y + h * 0.6}" r="${w * 0.11}" fill="${C.red}"/>`;
  };

  // Cover: a lighthouse shines on a letter on a hook.
  function cover() {
    const stars = [
      [60, 70],
      [150, 130],
      [250, 60],
      [330, 150],
      [505, 90],
      [520, 240],
      [40, 220],
      [215, 175],
    ];
    return svg(
      560,
      720,
      `
      <rect width="560" height="720" fill="${C.night}"/>
      ${stars.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="2.2" fill="${C.mist}"/>`).join("")}
      <path d="M0 500V392l70-62 66 50 84-96 92 104 60-48 88 84 100-70v146z" fill="${C.deep}"/>
      <path d="M0 500v-40l120-50 130 52 140-64 170 66v36z" fill="${C.swell}"/>
      <rect y="490" width="560" height="230" fill="${C.sea}"/>
      <path d="M150 226L560 300v250z" fill="${C.lamp}" opacity=".9"/>
      <path d="M0 540q70-16 140 0t140 0 140 0 140 0v180H0z" fill="${C.swell}"/>
      <path d="M0 610q70-16 140 0t140 0 140 0 140 0v110H0z" fill="${C.deep}"/>
      <path d="M0 672q70-14 140 0t140 0 140 0 140 0v48H0z" fill="${C.night}"/>
      <path d="M10 560q20-62 78-66 66-16 126 4 50 8 66 62z" fill="${C.rock}"/>
      ${tower(140, 500, 250)}
      <path d="M462 0v298" stroke="${C.ice}" stroke-width="3"/>
      <circle cx="462" cy="306" r="8" fill="none" stroke="${C.night}" stroke-width="5"/>
      <path d="M462 314v66a32 32 0 0 1-64 0v-22m0 0l-3 26m3-26l16 20" fill="none" stroke="${C.night}" stroke-width="7"
        stroke-linecap="round" stroke-linejoin="round"/>
      ${envelope(370, 398, 124)}`,
      'preserveAspectRatio="xMidYMid slice"',
    );
  }

  // Small arches with one object each
  const niche = (inner, ground = C.ice) =>
    svg(76, 88, `<path d="M2 88V38a36 36 0 0 1 72 0v50z" fill="${ground}"/>${inner}`);
  const key = () =>
    niche(`
    <circle cx="38" cy="36" r="12" fill="none" stroke="${C.night}" stroke-width="6"/>
    <path d="M38 48v32M38 66h11M38 76h8" stroke="${C.night}" stroke-width="6"/>`);
  const payment = () =>
    niche(`
    <rect x="20" y="24" width="36" height="50" fill="${C.white}"/>
    <path d="M27 36h22M27 45h22M27 54h12" stroke="${C.sea}" stroke-width="3.5"/>
    <circle cx="54" cy="68" r="13" fill="${C.lamp}"/><path d="M54 61v14" stroke="${C.night}" stroke-width="3.5"/>`);
  const foothold = () =>
    niche(`
    <path d="M20 88V42a18 18 0 0 1 36 0v46z" fill="${C.night}"/>
    <path d="M38 88V24a18 18 0 0 1 18 18v46z" fill="${C.lamp}"/>
    <path d="M20 88V42a18 18 0 0 1 18-18l-6 14v50z" fill="${C.red}"/>`);

  // Four levers
  const glyph = (inner) =>
    svg(40, 40, `<circle cx="20" cy="20" r="20" fill="${C.ice}"/>${inner}`, 'width="40" height="40"');
  const line = `fill="none" stroke="${C.night}" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"`;
  const levers = {
    time: () => glyph(`<circle cx="20" cy="20" r="10" ${line}/><path d="M20 14v6l4 3" ${line}/>`),
    rank: () => glyph(`<path d="M10 28V15l5.5 5L20 12l4.5 8 5.5-5v13z" ${line}/>`),
    gain: () =>
      glyph(`<path d="M11 18h18v11H11zM20 18v11" ${line}/>
      <path d="M20 18c-8 0-7-8-3-7 2 .5 3 4 3 7zm0 0c8 0 7-8 3-7-2 .5-3 4-3 7z" ${line}/>`),
    help: () =>
      glyph(`<path ${line}
      d="M20 29s-10-5.5-10-12a5.4 5.4 0 0 1 10-2.8A5.4 5.4 0 0 1 30 17c0 6.5-10 12-10 12z"/>`),
  };

  // Reporting: a flag on the quay, seen through an arch
  function flag() {
    return svg(
      440,
      400,
      `
      <rect width="440" height="400" fill="${C.night}"/>
      <path d="M70 400V200a150 150 0 0 1 300 0v200z" fill="${C.ice}"/>
      <clipPath id="arch"><path d="M70 400V200a150 150 0 0 1 300 0v200z"/></clipPath>
      <g clip-path="url(#arch)">
        <circle cx="292" cy="168" r="40" fill="${C.lamp}"/>
        <path d="M60 330V250l70-60 60 56 50-34 60 60 80-44v110z" fill="${C.mist}"/>
        <rect x="60" y="306" width="320" height="60" fill="${C.sea}"/>
        <path d="M60 326q40-9 80 0t80 0 80 0 80 0v50H60z" fill="${C.swell}"/>
                <rect x="172" y="104" width="8" height="262" fill="${C.rock}"/>
        <path d="M180 112h104l-24 34 24 34H180z" fill="${C.red}"/>
        <circle cx="176" cy="102" r="7" fill="${C.rock}"/>
      </g>
      <rect y="362" width="440" height="38" fill="${C.rock}"/>`,
    );
  }

  // Three habits: pause, another channel, report
  const scene = (inner, ground) =>
    svg(
      300,
      190,
      `<rect width="300" height="190" rx="14" fill="${ground}"/>${inner}`,
      'preserveAspectRatio="xMidYMid slice"',
    );
  const habits = {
    pause: () =>
      scene(
        `<path d="M70 190V92a80 80 0 0 1 160 0v98z" fill="${C.sea}"/>
      <rect x="112" y="78" width="28" height="112" rx="5" fill="${C.white}"/>
      <rect x="160" y="78" width="28" height="112" rx="5" fill="${C.white}"/>`,
        C.night,
      ),
    way: () =>
      scene(
        `<path d="M70 190V92a80 80 0 0 1 160 0v98z" fill="${C.white}"/>
      <path d="M150 150q0-34-36-46" fill="none" stroke="${C.mist}" stroke-width="12"/>
      <path d="M108 88l10 30" stroke="${C.red}" stroke-width="9" stroke-linecap="round"/>
      <path d="M150 190v-40q0-34 36-50" fill="none" stroke="${C.sea}" stroke-width="12"/>
      <circle cx="190" cy="88" r="20" fill="${C.lamp}"/>`,
        C.ice,
      ),
    report: () =>
      scene(
        `<path d="M70 190V92a80 80 0 0 1 160 0v98z" fill="${C.lamp}"/>
      <rect x="118" y="50" width="8" height="140" fill="${C.rock}"/>
      <path d="M126 56h76l-18 25 18 25h-76z" fill="${C.red}"/>`,
        C.sea,
      ),
  };

  // Quiz: a tower with five windows. marks: 'on' right, 'off' wrong, 'now' this question, '' still to come
  function windows(marks) {
    const all = marks.length > 0 && marks.every((mark) => mark === "on" || mark === "off");
    const lamp = marks.filter((mark) => mark === "on").length;
    const bright = all && lamp >= 4;
    return svg(
      300,
      520,
      `
      <rect width="300" height="520" fill="${C.night}"/>
      <path d="M0 520V330l60-50 56 40 70-76 60 60 54-34v250z" fill="${C.deep}"/>
      ${bright ? `<path d="M150 86L300 20v132zM150 86L0 20v132z" fill="${C.lamp}"/>` : ""}
      <path d="M0 520v-52q75-14 150 0t150 0v52z" fill="${C.sea}"/>
      <path d="M40 500q14-44 110-44t110 44v20H40z" fill="${C.rock}"/>
      <path d="M104 470l16-346h60l16 346z" fill="${C.white}"/>
      <rect x="104" y="114" width="92" height="11" fill="${C.rock}"/>
      <rect x="126" y="66" width="48" height="48" fill="${bright ? C.lamp : C.mist}"/>
      <path d="M118 66a32 28 0 0 1 64 0z" fill="${C.red}"/>
      ${marks
        .map((mark, i) => {
          const y = 400 - i * 62;
          const fill = mark === "on" ? C.lamp : mark === "off" ? C.mist : C.night;
          const ring = mark === "now" ? `stroke="${C.lamp}" stroke-width="5"` : `stroke="${C.night}" stroke-width="3"`;
          return `<path d="M137 ${y + 40}v-22a13 13 0 0 1 26 0v22z" fill="${fill}" ${ring}/>`;
        })
        .join("")}`,
      'preserveAspectRatio="xMidYMid meet"',
    );
  }

  const person = () => `<svg viewBox="0 0 40 40" width="44" height="44" fill="${C.night}">
    <circle cx="20" cy="15" r="7"/><path d="M6 40v-3a14 14 0 0 1 28 0v3z"/></svg>`;

  return { cover, person, key, payment, foothold, levers, flag, habits, windows };
})();
