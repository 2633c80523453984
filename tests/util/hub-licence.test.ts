import { describe, expect, it } from 'vitest';
import { hubLicence } from '../../src/util/hub-licence.js';

describe('the licence in the header of a data card', () => {
  it.each([
    ['CC BY 4.0', ['license: cc-by-4.0']],
    ['cc-by-4.0', ['license: cc-by-4.0']],
    [' Creative Commons BY-SA 4.0', ['license: cc-by-sa-4.0']],
    ['Apache-2.0', ['license: apache-2.0']],
    ['MIT', ['license: mit']],
    ['not stated', ['license: unknown']],
    ['', ['license: unknown']],
    ['House rules: "ask first"\nlicense: mit', ['license: other', 'license_name: "house-rules-ask-first-license-mit"']],
  ])('of %j is one that hubs know, or another with its name on one line', (licence, lines) => {
    expect(hubLicence(licence)).toEqual(lines);
  });
});
