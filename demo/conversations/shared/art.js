/*
 * The picture beside every part: one room, four times of day. The sun climbs from part to part, the chairs come closer.
 * Drawn flat from the colours of the part. Decoration, therefore aria-hidden.
 */
const Art = (() => {
  "use strict";

  const looks = {
    1: {
      wall: "#4a1526",
      shade: "#38101d",
      sky: "#e7b59a",
      far: "#b5696a",
      near: "#7d3346",
      sun: [118, 206],
      chairs: [58],
    },
    2: {
      wall: "#24453b",
      shade: "#1a342c",
      sky: "#d9dfae",
      far: "#8fa67c",
      near: "#4c705d",
      sun: [118, 152],
      chairs: [34, 296],
    },
    3: {
      wall: "#26364f",
      shade: "#1b283c",
      sky: "#b9c7d6",
      far: "#7f94ac",
      near: "#4a617e",
      sun: [206, 140],
      chairs: [50, 280],
    },
    4: {
      wall: "#7a3b1e",
      shade: "#5d2b14",
      sky: "#f6dfae",
      far: "#d79a63",
      near: "#a9633a",
      sun: [212, 104],
      chairs: [66, 264],
    },
  };
  const floor = 418;
  const wood = "#f3e7d8";

  // A plain chair, seen from the side. way: 1 looks to the right, -1 to the left.
  const chair = (x, way) => `<g transform="translate(${x} ${floor + 14}) scale(${way} 1)" fill="${wood}">
    <path d="M0 0l5-112q1-8 8-8t6 8L13-54 9 0zM6-58h58v9H6zM54-52h9l4 52h-9z"/></g>`;

  const table = (x, cups) => `<g fill="${wood}"><rect x="${x - 34}" y="${floor - 46}" width="68" height="7" rx="3"/>
      <rect x="${x - 3.5}" y="${floor - 40}" width="7" height="54"/>
      <rect x="${x - 20}" y="${floor + 9}" width="40" height="5" rx="2"/></g>
    ${cups
      .map(
        (dx) => `<path fill="#c8102e"
      d="M${x + dx - 7} ${floor - 60}h14v8a6 6 0 0 1-6 6h-2a6 6 0 0 1-6-6z"/>`,
      )
      .join("")}`;

  const cloud = `<path fill="#e9eef3"
    d="M162 146a24 24 0 0 1 44-14 20 20 0 0 1 38 6 17 17 0 0 1 4 34h-80a15 15 0 0 1-6-26z"/>`;
  const rain = [
    [100, 116],
    [124, 150],
    [98, 178],
    [146, 108],
    [134, 190],
    [184, 190],
    [216, 184],
    [240, 200],
  ]
    .map(([x, y]) => `<path d="M${x} ${y}l-6 18" stroke="#fff" stroke-width="3" stroke-linecap="round"/>`)
    .join("");

  function room(number) {
    const look = looks[number];
    const [sunX, sunY] = look.sun;
    const opening = "M70 290V145a95 95 0 0 1 190 0v145z";
    return `<svg viewBox="0 0 330 500" preserveAspectRatio="xMidYMax slice" aria-hidden="true" focusable="false">
      <rect width="330" height="500" fill="${look.wall}"/>
      <clipPath id="window"><path d="${opening}"/></clipPath>
      <g clip-path="url(#window)">
        <rect x="60" y="50" width="210" height="290" fill="${look.sky}"/>
        <circle cx="${sunX}" cy="${sunY}" r="30" fill="#f2b72e"/>
        ${number === 3 ? cloud + rain : ""}
        <path d="M40 300v-70l52-44 40 36 46-52 58 58 50-26v98z" fill="${look.far}"/>
        <path d="M40 300v-28q60-34 120-16t130-18v62z" fill="${look.near}"/>
      </g>
      <path d="M165 50v240M70 178h190" stroke="${look.wall}" stroke-width="6"/>
      <rect x="58" y="290" width="214" height="8" fill="${wood}"/>
      <rect y="${floor}" width="330" height="90" fill="${look.shade}"/>
      ${look.chairs.map((x, i) => chair(x, i ? -1 : 1)).join("")}
      ${table(165, number === 1 ? [0] : [-16, 16])}
    </svg>`;
  }

  return { room };
})();
