/** Members of a request body that servers of chat completions and of messages take, and that carry no credential. */
const BODY = new Set(
  `
  add_generation_prompt allowed_token_ids bad_words best_of cache_prompt chat_template chat_template_kwargs continue_final_message
  do_sample dry_allowed_length dry_base dry_multiplier dry_penalty_last_n dry_sequence_breakers dynatemp_exponent dynatemp_range early_stopping
  enable_thinking eos_token_id format frequency_penalty grammar greedy guided_choice guided_decoding_backend guided_grammar guided_json
  guided_regex guided_whitespace_pattern ignore_eos include_reasoning include_stop_str_in_output inference_geo json_schema keep_alive
  length_penalty logit_bias logprobs lora lora_path min_keep min_new_tokens min_p min_tokens mirostat mirostat_eta mirostat_tau modalities n_keep n_predict
  n_probs no_repeat_ngram_size num_beams num_ctx options output_config parallel_tool_calls penalty_alpha plugins prediction presence_penalty
  priority prompt_cache_key prompt_mode prompt_truncate_len random_seed raw reasoning_budget reasoning_format reasoning_split regex
  repeat_last_n repeat_penalty repetition_penalty response_format return_token_ids safe_prompt safety_settings samplers separate_reasoning
  service_tier skip_special_tokens spaces_between_special_tokens stop stop_sequences stop_token_ids structured_outputs structural_tag store
  template tfs_z think thinking thinking_budget tool_choice top_a top_k top_logprobs top_n_tokens truncate truncate_prompt_tokens
  truncation typical typical_p usage use_beam_search user user_id verbosity watermark xtc_probability xtc_threshold
  `
    .trim()
    .split(/\s+/),
);

/** Headers that a plan may give as text, in lower case. */
const HEADERS = new Set([
  ...[
    'accept-language',
    'anthropic-beta',
    'http-referer',
    'openai-beta',
    'openai-organization',
    'openai-project',
    'referer',
  ],
  ...['user-agent', 'x-goog-user-project', 'x-request-source', 'x-team', 'x-title'],
]);

/** What a plan says carries no credential, though it is not listed here. */
interface Allowed {
  readonly body: readonly string[];
  readonly headers: readonly string[];
}

/** A field of a plan that is neither listed nor allowed, and what to do about it. */
interface UnlistedField {
  readonly path: readonly [string, string];
  readonly message: string;
}

/**
 * Lists the members of `extra_body` and the headers with a text that are not known to carry no credential and that the plan does not allow
 * by name. A plan is written down whole, so what nobody knows is refused first.
 */
export function unlistedFields(model: {
  readonly extra_body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly allow_unlisted: Allowed;
}): readonly UnlistedField[] {
  const { extra_body, headers, allow_unlisted } = model;
  const body = Object.keys(extra_body).filter((name) => !BODY.has(name) && !allow_unlisted.body.includes(name));
  const lower = allow_unlisted.headers.map((name) => name.toLowerCase());
  const texts = Object.keys(headers).filter((name) => {
    const known = HEADERS.has(name.toLowerCase()) || lower.includes(name.toLowerCase());
    return typeof headers[name] === 'string' && !known;
  });
  return [
    ...body.map((name) => ({
      path: ['extra_body', name] as const,
      message: `is no member that is known to carry no credential; if it carries none, say so: allow_unlisted: {body: [${name}]}; a credential is a header: headers: {NAME: {env: VARIABLE}}`,
    })),
    ...texts.map((name) => ({
      path: ['headers', name] as const,
      message: `is no header that is known to carry no credential; name the variable that holds its value: {env: VARIABLE}; or, if it is no secret, say so: allow_unlisted: {headers: [${name}]}`,
    })),
  ];
}
