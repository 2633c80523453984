import { describe, expect, it } from 'vitest';
import type { Candidate } from '../../../src/tasks/compile/family.js';
import { culinaryPrompt, promptText } from '../../../src/tasks/compile/prompt.js';

const CHOICES = ['sea_salt', 'lime', 'dill', 'rye_bread', 'beet', 'leek', 'cod', 'olive_oil'];
const candidate = (facts: Partial<Candidate>): Candidate => ({
  anchor: {
    row: 0,
    name: 'smoked_eel',
    category: 'Fish',
  },
  choices: [],
  difficulty: 1,
  variant: null,
  region: null,
  ...facts,
});

describe('the prompts of tasks', () => {
  const prompts = [
    culinaryPrompt('substitution', candidate({}), CHOICES, 3),
    culinaryPrompt('pairing', candidate({}), CHOICES, 3),
    culinaryPrompt('constraint', candidate({ variant: { flag: 'vegan', nova: 2 } }), CHOICES, 3),
    culinaryPrompt('cultural_composition', candidate({ region: 'Eastern_European' }), CHOICES, 3),
  ];

  it('share one skeleton: four blocks, eight labelled names, one marker', () => {
    for (const prompt of prompts) {
      const blocks = prompt.split('\n\n');
      expect(blocks).toHaveLength(4);
      expect(blocks[1]!.split('\n')).toHaveLength(2);
      expect(blocks[2]!.split('\n')).toEqual([
        'Candidates:',
        'A. sea salt',
        'B. lime',
        'C. dill',
        'D. rye bread',
        'E. beet',
        'F. leek',
        'G. cod',
        'H. olive oil',
      ]);
      expect(prompt.match(/FINAL_SELECTION:/g)).toHaveLength(1);
      expect(prompt).not.toMatch(/FINAL_SELECTION\s*:\s*[A-H]/i);
      expect(prompt.endsWith('\n')).toBe(false);
      expect(new Set([blocks[0], ...prompts.map((p) => p.split('\n\n')[0])]).size).toBe(1);
      expect(blocks[3]).toBe(prompts[0]!.split('\n\n')[3]);
    }
  });

  it('say what the family asks for, and the regional one does not show its anchor', () => {
    const [substitution, pairing, constraint, regional] = prompts;
    expect(substitution).toMatch(/`smoked eel`.*fish/);
    expect(pairing).toMatch(/`smoked eel`/);
    expect(constraint).toMatch(/`smoked eel`.*vegan.*NOVA processing level 2 or lower/);
    expect(regional).toMatch(/Eastern European/);
    expect(regional).not.toMatch(/eel/);
  });

  it('refuse a wording that holds the marker, with whatever after it', () => {
    const parts = { preamble: 'p', kind: 'k', question: 'q', choices: CHOICES, select: 3 };
    for (const wording of [
      { question: 'As in FINAL_SELECTION: A,B,C?' },
      { preamble: 'Write final_selection : sea salt, lime, dill.' },
      { kind: 'FINAL_SELECTION' },
    ])
      expect(() => promptText({ ...parts, ...wording })).toThrow(/holds the answer marker/);
  });

  it('count in words and name the last label for other sizes', () => {
    const text = promptText({
      preamble: 'p',
      kind: 'k',
      question: 'q',
      choices: ['a', 'b', 'c', 'd', 'e'],
      select: 2,
    });
    expect(text).toMatch(/exactly 2 different labels from A to E/);
    expect(text).toMatch(/the two labels/);
  });

  it('speak of one where one is chosen', () => {
    for (const [family, facts] of [
      ['substitution', {}],
      ['pairing', {}],
      ['constraint', { variant: { flag: 'vegan', nova: 2 } }],
      ['cultural_composition', { region: 'Japanese' }],
    ] as const) {
      const text = culinaryPrompt(family, candidate(facts), CHOICES, 1);
      expect(text.split('\n\n').slice(1).join()).not.toMatch(
        /ingredients|complements|labels|one another|together|categories/,
      );
      expect(text).toMatch(/exactly 1 label from A to H.*first, then the label\./);
    }
  });
});
