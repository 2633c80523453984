/** The style of the report page: both themes, and paper. */
export const PAGE_STYLE = `
:root{color-scheme:light dark;--bg:#fff;--ink:#262b33;--muted:#5b6470;--line:#dfe4ea;--soft:#f4f6f9;--blue:#1769aa;--good:#12705f;--bad:#b03a36}
@media (prefers-color-scheme:dark){:root{--bg:#262b33;--ink:#e9edf2;--muted:#aeb8c4;--line:#414a56;--soft:#2f3640;--blue:#7dbcec;--good:#5fd0b9;--bad:#f0a19c}}
*{box-sizing:border-box}
html{scroll-behavior:smooth}
body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.5 "IBM Plex Sans",system-ui,"Segoe UI",Roboto,Arial,sans-serif;overflow-wrap:break-word}
main,header,footer{max-width:1080px;margin:0 auto;padding:0 20px}
header{padding-top:36px}
h1{font-size:2rem;line-height:1.2;margin:0 0 4px}
h2{font-size:1.35rem;margin:44px 0 10px;padding-top:8px;border-top:1px solid var(--line)}
h3{font-size:1.05rem;margin:26px 0 6px}
p{margin:8px 0;max-width:72ch}
.muted,figcaption,caption{color:var(--muted)}
a{color:var(--blue)}
nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:4px 18px;padding:0;margin:14px 0 0}
code{font:.86em ui-monospace,SFMono-Regular,Menlo,monospace;overflow-wrap:anywhere}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(128px,1fr));gap:10px;margin:20px 0 0;padding:0}
.facts div{background:var(--soft);border-radius:6px;padding:10px 12px}
.facts dt{color:var(--muted);font-size:.82rem}
.facts dd{margin:0;font-size:1.35rem;font-weight:600}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums;margin:8px 0 18px;min-width:50%}
caption{text-align:left;padding:0 0 6px;font-size:.9rem}
th,td{padding:5px 10px;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
thead th{border-bottom:2px solid var(--ink);white-space:nowrap}
.right{text-align:right}.centre{text-align:center}
td .id{display:block;color:var(--muted);font-size:.78rem}
th button{all:unset;cursor:pointer;font-weight:600}
th button:focus-visible,a:focus-visible,input:focus-visible,summary:focus-visible{outline:2px solid var(--blue);outline-offset:2px}
th[aria-sort=ascending] button::after{content:" \\2191"}
th[aria-sort=descending] button::after{content:" \\2193"}
.filter input{font:inherit;color:inherit;background:var(--bg);border:1px solid var(--muted);border-radius:5px;padding:5px 9px;width:min(320px,100%)}
.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(440px,100%),1fr));gap:28px;align-items:start}
figure{margin:0;min-width:0}
figure svg{width:100%;max-width:560px;height:auto;display:block;border:1px solid var(--line);border-radius:6px}
figcaption{font-size:.88rem;margin-top:6px}
.dark{display:none}
@media (prefers-color-scheme:dark){.light{display:none}.dark{display:block}}
details{margin:6px 0}
summary{cursor:pointer;color:var(--blue);font-size:.88rem}
pre{background:var(--soft);border-radius:6px;padding:10px 12px;font:.8rem/1.45 ui-monospace,SFMono-Regular,Menlo,monospace;white-space:pre-wrap;overflow-wrap:anywhere;max-height:360px;overflow:auto;margin:6px 0}
.verdict{font-weight:600;font-size:1.1rem}
.pass{color:var(--good)}.fail{color:var(--bad)}
.alarm{border:3px solid var(--bad);border-radius:6px;padding:6px 16px;margin:0 0 24px;font-size:1.1rem}.alarm strong{color:var(--bad);font-size:1.3rem}
.notice{border:1px solid var(--muted);border-radius:6px;padding:6px 12px;margin:0 0 20px}
.answers{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(300px,100%),1fr));gap:14px}
footer{margin-top:48px;padding-bottom:36px;color:var(--muted);font-size:.88rem}
@media print{
:root{color-scheme:light;--bg:#fff;--ink:#000;--muted:#444;--line:#bbb;--soft:#fff;--blue:#000;--good:#000;--bad:#000}
@page{margin:16mm 14mm}
html,body{font-size:9.5pt}
main,header,footer{max-width:none;padding:0}
nav,.filter,.data{display:none}
.light{display:block}.dark{display:none}
h2{break-after:avoid}h3{break-after:avoid}
figure,tr,.answers>div{break-inside:avoid}
.figures{display:block;columns:2;column-gap:14px}figure{margin-bottom:14px}
figure svg{border:0}
table{font-size:8pt}th,td{padding:2px 6px}
#leaderboard td{white-space:nowrap}
td .id{font-size:6pt}
.facts dd{font-size:11pt;white-space:nowrap}
caption,thead{break-after:avoid}
.scroll{overflow:visible;break-inside:avoid}
pre{max-height:none;border:1px solid var(--line)}
thead{display:table-header-group}
}
`;

/** Sorts and filters the leaderboard; the page is whole without it. */
export const PAGE_SCRIPT = `
for (const table of document.querySelectorAll('table[data-sort]')) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const value = (row, i) => row.cells[i].dataset.value;
  heads.forEach((head, i) => {
    head.querySelector('button').addEventListener('click', () => {
      const up = head.getAttribute('aria-sort') !== 'ascending';
      const rows = [...body.rows].sort((a, b) => {
        const [x, y] = [value(a, i), value(b, i)];
        const order = head.dataset.text ? x.localeCompare(y, 'en') : Number(x) - Number(y);
        return up ? order : -order;
      });
      for (const other of heads) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
      body.append(...rows);
    });
  });
  const filter = document.querySelector('.filter');
  const input = filter.querySelector('input');
  const shown = filter.querySelector('output');
  filter.hidden = false;
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let count = 0;
    for (const row of body.rows) {
      const text = row.cells[2].textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      if (!row.hidden) count += 1;
    }
    shown.textContent = words.length === 0 ? '' : count + ' of ' + body.rows.length;
  });
}
`;
