#!/bin/sh
# Asks for a chat completion the way that clients do, until one is answered as it should be or
# the time is over, and says at which hop it failed. Arguments are curl's, for that request.
#
# URL                    of the chat completion
# MODEL                  name of the model in the request, as JSON
# ANSWERS                names that the answer may have, one a line
# WORDS                  length of the prompt
# DEADLINE, INTERVAL     seconds until it gives up, and between two tries
# PICKER, READY          URL of the endpoint picker's metrics, and the one that counts ready servers
# PREFILL, DECODE, PORTS names that stand for the servers of a role, and the ports with their metrics
# SERVED                 the metric that counts the requests that a server has answered
set -u

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
start=$(date +%s)

# fault notes the hop that failed, and why.
fault() {
  hop=$1 why=$2
  return 1
}

# said is the beginning of the answer, on one line.
said() { tr '\n' ' ' <"$work/body" | cut -c 1-200; }

# total adds up the series of a metric.
total() { awk -v name="$1" 'index($0, name "{") == 1 || index($0, name " ") == 1 { sum += $NF } END { printf "%d", sum }'; }

# addresses are those of the pods behind a name.
addresses() {
  nslookup "$1" 2>/dev/null | sed -n '/^Name:/,$s/^Address[^:]*: *//p' | sort -u | sed 's/^.*:.*:.*$/[&]/'
}

# served counts the requests that the servers behind a name have answered.
served() {
  for address in $(addresses "$1"); do
    for port in $PORTS; do
      curl -sS --max-time 5 "http://$address:$port/metrics" 2>/dev/null
    done
  done | total "$SERVED"
}

# picker tells why the gateway answers for itself.
picker() {
  if [ -z "$PICKER" ]; then
    fault picker "the gateway answers $code, so the endpoint picker or a server fails: $(said)"
    return 1
  fi
  if ! curl -sS --max-time 5 -o "$work/metrics" "$PICKER" 2>"$work/error"; then
    fault picker "the endpoint picker does not answer: $(cat "$work/error")"
    return 1
  fi
  ready=$(total "$READY" <"$work/metrics")
  if [ "$ready" -eq 0 ]; then
    fault servers "the endpoint picker knows no ready server"
  elif grep -qi 'upstream' "$work/body"; then
    fault server "the gateway does not reach the server that was picked: $(said)"
  else
    fault picker "the gateway answers $code though $ready servers are ready, so it does not get the endpoint picker's choice: $(said)"
  fi
}

# reached tells whether the request came to a server and back.
reached() {
  case $status in
    0) ;;
    6) fault gateway "its name is not known: $(cat "$work/error")"; return 1 ;;
    28) fault server "no answer in time: $(cat "$work/error")"; return 1 ;;
    35 | 60) fault gateway "TLS fails: $(cat "$work/error")"; return 1 ;;
    *) fault gateway "it does not answer: $(cat "$work/error")"; return 1 ;;
  esac
  case $code in
    200) ;;
    404)
      if grep -q '"error"' "$work/body"; then
        fault server "it does not serve the model $MODEL: $(said)"
      elif grep -q '"detail"' "$work/body"; then
        fault route "a server was reached under a path that it does not have: $(said)"
      else
        fault route "the gateway has no route for the request: $(said)"
      fi ;;
    3??) fault route "the gateway redirects the request ($code)" ;;
    401 | 403) fault gateway "it refuses the request ($code): $(said)" ;;
    429) fault picker "it sheds the request ($code): $(said)" ;;
    4??) fault server "it refuses the request ($code): $(said)" ;;
    *) picker ;;
  esac
}

# answered tells whether the answer is one, and of the model.
answered() {
  name=$(grep -o '"model" *: *"[^"]*"' "$work/body" | head -n 1 | sed 's/^[^:]*: *"//; s/"$//')
  if ! grep -q '"choices"' "$work/body"; then
    fault answer "it is no chat completion: $(said)"
  elif ! printf '%s\n' "$ANSWERS" | grep -qxF -- "$name"; then
    fault answer "it is of the model \"$name\", not of $MODEL"
  fi
}

# shared tells whether both roles have worked. Counters may lag behind the answer.
shared() {
  [ -n "$PREFILL" ] || return 0
  for _ in 1 2 3 4 5; do
    prefilled=$(served "$PREFILL") decoded=$(served "$DECODE")
    [ "$prefilled" -gt "$prefilled_before" ] && [ "$decoded" -gt "$decoded_before" ] && return 0
    sleep "$INTERVAL"
  done
  if [ "$prefilled" -le "$prefilled_before" ]; then
    fault prefill "the answer came, and no prefill server had a part in it"
  else
    fault decode "the answer came, and no decode server had a part in it"
  fi
}

# attempt sends one request. Its prompt begins with what no cache holds.
attempt() {
  awk -v model="$MODEL" -v words="$WORDS" -v first="$(date +%s)-$$" 'BEGIN {
    printf "{\"model\": %s, \"max_tokens\": 8, \"messages\": [{\"role\": \"user\", \"content\": \"%s", model, first
    for (i = 1; i <= words; i++) printf " %d", i
    printf "\"}]}"
  }' >"$work/request"
  : >"$work/body"
  if [ -n "$PREFILL" ]; then
    prefilled_before=$(served "$PREFILL") decoded_before=$(served "$DECODE")
  fi
  code=$(curl -sS --max-time 300 -o "$work/body" -w '%{http_code}' -H 'Content-Type: application/json' \
    -d @"$work/request" "$@" "$URL" 2>"$work/error")
  status=$?
  reached && answered && shared
}

hop='' last='' times=0
until attempt "$@"; do
  echo "$hop: $why"
  [ "$hop" = "$last" ] || times=0
  last=$hop times=$((times + 1))
  # What comes of starting passes; a wrong answer stays.
  case $hop in answer | prefill | decode) [ "$times" -lt 3 ] || break ;; esac
  [ $(($(date +%s) - start)) -lt "$DEADLINE" ] || break
  sleep "$INTERVAL"
  hop=''
done
if [ -n "$hop" ]; then
  echo "smoke test failed at hop $hop: $why"
  exit 1
fi
echo "smoke test passed: $name answered"
