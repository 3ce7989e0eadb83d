-- For wrk: posts progress for many TrainJobs in turn. The file named by TARGETS has a line "path token" for each.
local targets, threads, next_target = {}, {}, 0

function setup(thread)
  table.insert(threads, thread)
end

function init()
  math.randomseed(os.time())
  for line in io.lines(os.getenv("TARGETS")) do
    local path, token = line:match("^(%S+)%s+(%S+)$")
    table.insert(targets, { path = path, token = token })
  end
  next_target = math.random(#targets)
  ok, bad, first_bad = 0, 0, ""
end

function request()
  next_target = next_target % #targets + 1
  local percent = math.random(0, 100)
  local body = string.format(
    '{"trainerStatus":{"progressPercentage":%d,"estimatedRemainingSeconds":%d,"metrics":[{"name":"loss","value":"%f"},' ..
    '{"name":"step","value":"%d"}],"lastUpdatedTime":"%s"}}',
    percent, 100 - percent, math.random(), math.random(1, 1000000), os.date("!%Y-%m-%dT%H:%M:%SZ"))
  return wrk.format("POST", targets[next_target].path, {
    ["Authorization"] = "Bearer " .. targets[next_target].token,
    ["Content-Type"] = "application/json",
    ["Host"] = "kubeflow-trainer-controller-manager.kubeflow-system.svc",
  }, body)
end

function response(status, _, body)
  if status == 200 then
    ok = ok + 1
  else
    bad = bad + 1
    if first_bad == "" then first_bad = status .. " " .. body:sub(1, 160) end
  end
end

function done(summary, latency)
  local ok, bad, first_bad = 0, 0, ""
  for _, thread in ipairs(threads) do
    ok, bad = ok + thread:get("ok"), bad + thread:get("bad")
    if first_bad == "" then first_bad = thread:get("first_bad") end
  end
  local errors = summary.errors
  io.write(string.format(
    'RESULT {"ok":%d,"bad":%d,"first_bad":"%s","seconds":%.3f,"p50_ms":%.2f,"p90_ms":%.2f,"p99_ms":%.2f,"max_ms":%.2f,' ..
    '"connect_errors":%d,"read_errors":%d,"write_errors":%d,"timeouts":%d}\n',
    ok, bad, first_bad:gsub('"', "'"):gsub("\n", " "), summary.duration / 1e6, latency:percentile(50) / 1000,
    latency:percentile(90) / 1000, latency:percentile(99) / 1000, latency.max / 1000,
    errors.connect, errors.read, errors.write, errors.timeout))
end
