/* The tokenizer library that llm-d-inference-scheduler v0.4.0 links is Rust code that no Go module carries. This one
 * has its symbols and no tokenizer: plugins can be created from their configuration, and whoever tokenizes is told. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct tokenizers_encode_options;
struct tokenizers_options;
struct tokenizers_buffer {
  uint32_t *ids, *type_ids, *special_tokens_mask, *attention_mask;
  char *tokens;
  size_t *offsets;
  uint32_t len;
};

static void *refuse(char **error) {
  if (error) *error = strdup("this build has no tokenizer");
  return NULL;
}

const char *tokenizers_version(void) { return "none"; }
void tokenizers_version_1_22_1(void) {}
void *tokenizers_from_bytes(const uint8_t *c, uint32_t n, const struct tokenizers_options *o, char **e) { return refuse(e); }
void *tokenizers_from_bytes_with_truncation(const uint8_t *c, uint32_t n, uint32_t m, uint8_t d, char **e) { return refuse(e); }
void *tokenizers_from_file(const char *c, char **e) { return refuse(e); }
void *tokenizers_from_tiktoken(const char *m, const char *c, const char *p, char **e) { return refuse(e); }
struct tokenizers_buffer tokenizers_encode(void *p, const char *m, const struct tokenizers_encode_options *o) { abort(); }
char *tokenizers_decode(void *p, const uint32_t *i, uint32_t n, bool s) { abort(); }
uint32_t tokenizers_vocab_size(void *p) { abort(); }
void tokenizers_free_tokenizer(void *p) {}
void tokenizers_free_buffer(struct tokenizers_buffer b) {}
void tokenizers_free_string(char *s) { free(s); }
