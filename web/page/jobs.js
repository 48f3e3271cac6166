// Runs jobs in a worker, one job at a time. A job is cancelled by ending the worker.

const job = { worker: undefined, reject: undefined };

// Starts a worker and passes the module to it. The script of the worker is part of this page, because
// a page from `file://` may not load another file as a worker.
function startWorker() {
  const source = byId("worker-source").textContent;
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const worker = new Worker(url);
  URL.revokeObjectURL(url);
  worker.postMessage({ module: byId("module").textContent });
  return worker;
}

// The error with which a cancelled job ends.
class Cancelled extends Error {}

// Runs a job and returns its result. Cancels the job that is running, if any. `handlers` has a
// function for each name of a message that the job sends before the result.
function runJob(request, handlers) {
  cancel();
  job.worker ??= startWorker();
  return new Promise((resolve, reject) => {
    job.reject = reject;
    job.worker.onmessage = ({ data: [name, value] }) => {
      if (name === "done") {
        job.reject = undefined;
        resolve(value);
      } else if (name === "failed") {
        // After a failure, the state of the module is unknown.
        endWorker(new Error(value));
      } else {
        handlers[name]?.(value);
      }
    };
    job.worker.onerror = (event) => {
      event.preventDefault();
      endWorker(new Error(`The worker failed: ${event.message ?? "it did not start"}.`));
    };
    job.worker.postMessage(request);
  });
}

// Ends the worker, and ends its job with an error.
function endWorker(error) {
  job.worker?.terminate();
  job.worker = undefined;
  job.reject?.(error);
  job.reject = undefined;
}

// Cancels the job that is running, if any.
function cancel() {
  if (job.reject) endWorker(new Cancelled());
}

// Runs `task`, which starts a job, and shows the progress of the job. Shows nothing if the job ends
// within 150 ms.
async function withProgress(label, task) {
  byId("work-label").textContent = label;
  byId("progress").value = 0;
  byId("work-part").textContent = "";
  const timer = setTimeout(() => { byId("work").hidden = false; }, 150);
  try {
    return await task(([done, total]) => {
      byId("progress").value = total ? done / total : 1;
      byId("work-part").textContent = `${formatSize(done)} of ${formatSize(total)}`;
    });
  } finally {
    clearTimeout(timer);
    byId("work").hidden = true;
  }
}
