import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { escapeHtml, html } from '../../src/draw/html.js';
import { caseStudies } from '../../src/release/cases.js';
import { releasePage } from '../../src/release/page/page.js';
import type { Verification } from '../../src/release/proofs/verification.js';
import type { ReleaseView } from '../../src/release/view.js';
import { noShared } from '../support/shared.js';
import { publishedAnalyses, publishedView } from './published.js';

const EVIL = `"><script>alert(1)</script><img src=x onerror=alert(1)>'\u202e`;

const verification: Verification = {
  status: 'FAIL',
  kind: 'release',
  rules: 2,
  not_checked: [],
  sha256: 'a'.repeat(64),
  release_sha256: null,
  checked: [{ what: `answers ${EVIL}`, count: 14418 }],
  notes: [`note ${EVIL}`],
  cannot_be_verified: [],
  difference_count: 31,
  differences: [{ file: `x ${EVIL}`, at: `row ${EVIL}`, expected: '1', found: `2 ${EVIL}` }],
};

/** The published release with hostile text wherever a release carries text. */
function hostile(): ReleaseView {
  const view = publishedView();
  const answer = {
    model_id: EVIL,
    model_name: EVIL,
    answer: `raw ${EVIL}`,
    selection: 'ABC',
    ingredients: [EVIL],
    score_bps: 1234,
  };
  return {
    ...view,
    kind: 'folder',
    printedNames: undefined,
    benchmark: EVIL,
    track: EVIL,
    claim: EVIL,
    leaderboard: {
      ...view.leaderboard,
      models: view.leaderboard.models.map((model) => ({
        ...model,
        modelId: `${model.modelId}${EVIL}`,
        name: EVIL,
      })),
    },
    routes: [
      {
        model: `x-ai/grok-4.6${EVIL}`,
        panel: 'panel_1',
        transport: EVIL,
        requestedModel: null,
        expectedModel: null,
        provider: null,
        tag: EVIL,
      },
    ],
    cases: caseStudies({
      cases: [
        {
          task_id: EVIL,
          family: EVIL,
          prompt: EVIL,
          higher_ranked: answer,
          lower_ranked: answer,
        },
      ],
    }),
  };
}

describe('the HTML of a page', () => {
  it('escapes what is put in and nothing that is markup', () => {
    const inner = html`<b>${'a<b'}</b>`;
    expect(html`<i class="${'"x"'}">${[inner, 'c&d', 3]}${null}</i>`.html).toBe(
      '<i class="&quot;x&quot;"><b>a&lt;b</b>c&amp;d3</i>',
    );
    expect(escapeHtml('a\u0000b\u202ec\nd')).toBe('a b c\nd');
  });
});

describe.skipIf(noShared)('the page of a release', () => {
  it('needs nothing beside itself and may run only its own script', async () => {
    const view = publishedView();
    const page = await releasePage({
      view: { ...view, analyses: publishedAnalyses(view) },
      verification: null,
    });
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? '';
    const digest = (tag: string) => {
      const text = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(page)?.[1] ?? '';
      return `&#39;sha256-${createHash('sha256').update(text).digest('base64')}&#39;`;
    };
    expect(policy).toContain('default-src &#39;none&#39;');
    expect(policy).toContain(`script-src ${digest('script')};`);
    expect(policy).toContain(`style-src ${digest('style')};`);
    expect(policy).toContain('font-src data:;');
    const fonts = /url\(data:font\/woff2;base64,[\w+/=]+\)/g;
    expect(page.match(fonts)).toHaveLength(2);
    // A digest of the policy and a font may hold two slashes by chance.
    expect(page.replace(policy, '').replace(fonts, '').replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(
      /(?:https?:)?\/\/\w|@import|url\(/,
    );
    expect(page).not.toMatch(/ style="| on\w+="|<link|<img|<iframe/);
    expect(page.match(/<figure id=/g)).toHaveLength(11);
    expect(page).toContain('Not verified when this page was made.');
    expect(page).toContain('Grok 4.6 has the largest point estimate, 65.1');
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, target] of page.matchAll(/url\(#([^)]+)\)|href="#([^"]+)"/g))
      if (target !== undefined) expect(ids).toContain(target);
  });

  it('shows hostile text as text', async () => {
    const page = await releasePage({ view: hostile(), verification });
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).not.toContain('<img');
    expect(page).not.toContain('\u202e');
    expect(page.match(/&lt;img src=x onerror=alert\(1\)&gt;/g)?.length).toBeGreaterThan(60);
    expect(page).toContain('FAIL: 31 differences');
  });

  it('says before all else that a verification failed, and names no best model then', async () => {
    const view = publishedView();
    const resolved = { ...view, leaderboard: { ...view.leaderboard, top: 0 } };
    const failed = await releasePage({ view: resolved, verification });
    const body = failed.slice(failed.indexOf('<body>'));
    expect(body).toMatch(
      /^<body>\s*<header>\s*<div class="alarm" role="alert"><p><strong>VERIFICATION FAILED<\/strong>: 31 differences/,
    );
    expect(failed).toContain('<title>VERIFICATION FAILED: ');
    expect(failed).not.toContain('is above every other model');
    expect(failed.match(/Verification failed, so no model is named best/g)).toHaveLength(2);
    const passed: Verification = { ...verification, status: 'PASS', difference_count: 0 };
    const sound = await releasePage({ view: resolved, verification: passed });
    expect(sound).not.toMatch(/class="alarm"|VERIFICATION FAILED|class="notice"/);
    expect(sound.match(/is above every other model/g)).toHaveLength(2);
    const unproved = await releasePage({ view: resolved, verification: null });
    expect(unproved).toMatch(/<header>\s*<p class="notice">Not verified/);
  });

  it('names the two digests of a folder', async () => {
    const view = publishedView();
    const [address, digest] = ['a'.repeat(64), 'b'.repeat(64)];
    const page = await releasePage({
      view: { ...view, kind: 'folder', printedNames: undefined, address, digest },
      verification: null,
    });
    expect(page).toMatch(/Address of the release[^<]*\(MANIFEST\.json\): <code>a{64}/);
    expect(page).toMatch(/Digest of its numbers \(release\.json\): <code>b{64}/);
    expect(page).toContain('release aaaaaaaaaaaa</title>');
  });

  it('is the same page for the same release', async () => {
    const view = publishedView();
    const first = await releasePage({ view, verification });
    expect(await releasePage({ view, verification })).toBe(first);
  });
});
