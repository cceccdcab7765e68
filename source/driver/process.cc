// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/driver/process.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>

namespace Percuss
{
  namespace
  {
    constexpr int seconds_to_end = 5; ///< from SIGTERM to SIGKILL

    /// The signals that run_processes() waits for are kept back while it is at
    /// work, so that none can come between a look and a wait.
    class SignalBlock
    {
    public:
      SignalBlock()
      {
        ::signal(SIGCHLD, SIG_DFL);
        ::sigemptyset(&signals);
        for (const int signal : {SIGCHLD, SIGINT, SIGTERM, SIGHUP})
          ::sigaddset(&signals, signal);
        ::sigprocmask(SIG_BLOCK, &signals, &before);
      }
      SignalBlock(const SignalBlock &) = delete;
      SignalBlock &
      operator=(const SignalBlock &) = delete;
      ~SignalBlock()
      {
        release();
      }

      void
      release() const
      {
        ::sigprocmask(SIG_SETMASK, &before, nullptr);
      }

      /// The next signal, or -1 after @p seconds where these are positive.
      int
      wait(const int seconds = 0) const
      {
        const timespec limit = {seconds, 0};
        int            signal;
        do
          signal = seconds > 0 ? ::sigtimedwait(&signals, nullptr, &limit) :
                                 ::sigwaitinfo(&signals, nullptr);
        while (signal < 0 && errno == EINTR);
        return signal;
      }

    private:
      sigset_t signals, before;
    };

    struct CloseFile
    {
      void
      operator()(std::FILE *const file) const
      {
        std::fclose(file);
      }
    };

    /// A file without a name.
    using NamelessFile = std::unique_ptr<std::FILE, CloseFile>;

    struct Child
    {
      Process     *process;
      NamelessFile errors;
    };

    using Children = std::map<pid_t, Child>;

    [[noreturn]] void
    fail(const std::string &what)
    {
      throw Error(ExitCode::io, what + ": " + std::strerror(errno) + ".");
    }

    /// What the child does after fork(); calls only what is safe there.
    [[noreturn]] void
    become(char *const       *arguments,
           const char        *folder,
           const int          errors,
           const pid_t        parent,
           const SignalBlock &block)
    {
      ::prctl(PR_SET_PDEATHSIG, SIGTERM);
      if (::getppid() != parent)
        ::_exit(1);
      const int nothing = ::open("/dev/null", O_RDWR);
      ::dup2(nothing, STDIN_FILENO);
      ::dup2(nothing, STDOUT_FILENO);
      ::dup2(errors, STDERR_FILENO);
      block.release();
      if (*folder == 0 || ::chdir(folder) == 0)
        ::execvp(arguments[0], arguments);
      ::_exit(Process::not_found);
    }

    void
    start(Process &process, const SignalBlock &block, Children &children)
    {
      NamelessFile errors(std::tmpfile());
      if (errors == nullptr)
        fail("cannot create a temporary file");
      std::vector<char *> arguments;
      for (std::string &word : process.command)
        arguments.push_back(word.data());
      arguments.push_back(nullptr);
      const pid_t parent = ::getpid();
      const pid_t child  = ::fork();
      if (child < 0)
        fail("cannot start another process");
      if (child == 0)
        become(arguments.data(),
               process.folder.c_str(),
               ::fileno(errors.get()),
               parent,
               block);
      children[child] = {&process, std::move(errors)};
    }

    std::string
    contents(std::FILE *const file)
    {
      std::string text;
      char        part[4096];
      std::rewind(file);
      while (const std::size_t n = std::fread(part, 1, sizeof(part), file))
        text.append(part, n);
      return text;
    }

    /// Takes leave of all children that have ended.
    void
    reap(Children &children, const std::function<void(const Process &)> &on_end)
    {
      int status = 0;
      for (auto child = children.begin(); child != children.end();)
        if (::waitpid(child->first, &status, WNOHANG) != 0)
          {
            Process &process = *child->second.process;
            process.code =
              WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
            process.errors = contents(child->second.errors.get());
            child          = children.erase(child);
            if (on_end)
              on_end(process);
          }
        else
          ++child;
    }

    void
    end(Children &children, const SignalBlock &block)
    {
      for (const int signal : {SIGTERM, SIGKILL})
        {
          for (const auto &child : children)
            ::kill(child.first, signal);
          while (!children.empty() && block.wait(seconds_to_end) >= 0)
            reap(children, {});
        }
    }
  } // namespace



  void
  run_processes(std::vector<Process>                       &processes,
                const unsigned int                          n_at_a_time,
                const std::function<void(const Process &)> &on_end)
  {
    const SignalBlock block;
    Children          children;
    std::size_t       next = 0;
    while (next < processes.size() || !children.empty())
      {
        while (next < processes.size() && children.size() < n_at_a_time)
          start(processes[next++], block, children);
        const int signal = block.wait();
        reap(children, on_end);
        if (signal != SIGCHLD)
          {
            end(children, block);
            throw Error(ExitCode::stopped,
                        std::string("stopped by a signal (") +
                          ::strsignal(signal) + ").");
          }
      }
  }
} // namespace Percuss
