import { type InputFile, inputFile } from '../io/envelope.js';
import { FlavourError } from '../util/error.js';
import { RELEASE_FILES, type ReleaseFile, textFile } from './release-files.js';
import type { InputRole } from './release-inputs.js';
import { type AnalysisSetting, type RemadeAnalysis, remadeAnalysis } from './remade-analysis.js';

/** Makes the analyses of a release again. Errors: those of `remadeAnalysis`, unless they are heard of. */
export async function remadeAnalyses(
  setting: AnalysisSetting,
  onProblem?: (file: string, error: FlavourError) => void,
): Promise<RemadeAnalysis[]> {
  const { analyses } = setting.sources;
  const { onProgress } = setting;
  const remade: RemadeAnalysis[] = [];
  const documents = analyses.filter(({ name }) => name.endsWith('.json'));
  for (const [i, file] of documents.entries()) {
    onProgress?.('analyses run again', i, documents.length);
    try {
      remade.push(await remadeAnalysis(file, setting));
    } catch (error) {
      if (!(error instanceof FlavourError) || onProblem === undefined) throw error;
      onProblem(file.name, error);
      remade.push({ name: file.name, files: [file], results: null, left: error.message });
    }
  }
  return remade;
}

/** The files that a release gives its analyses, by their role. */
export function analysisInputs(
  inputs: readonly InputFile[],
  encoded: readonly ReleaseFile[],
  inference: string,
): AnalysisSetting['files'] {
  const of = (role: string, as: InputRole) =>
    inputs.filter((file) => file.role === role).map((file) => ({ ...file, role: as }));
  const { bytes } = encoded.find(({ name }) => name === RELEASE_FILES.matrix)!;
  return [
    { ...inputFile('scores', bytes), role: 'scores' },
    ...of('observations', 'responses'),
    ...of('tasks', 'tasks'),
    ...of('core', 'core'),
    { ...inputFile('inference', textFile(RELEASE_FILES.inference, inference).bytes), role: 'inference' },
  ];
}
